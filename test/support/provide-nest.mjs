import { jest } from '@jest/globals';

/**
 * Gives CommonJS packages the modules of Nest that the tests import. Node.js lets them `require`
 * ES modules; Jest does so from Node.js 24.9 on only.
 */
export async function provideNest() {
  for (const name of ['@nestjs/common', '@nestjs/core']) {
    const module = await import(name);
    jest.mock(name, () => module);
  }
}
