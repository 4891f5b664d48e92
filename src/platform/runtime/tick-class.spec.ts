import { keepTickClass } from './tick-class.js';

it('keepTickClass keeps one object of process.nextTick, and none of later ones', async () => {
  const kept = keepTickClass();
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect(kept).toEqual([expect.objectContaining({ callback: expect.any(Function), args: undefined })]);
});
