import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guides } from './guides.js';

describe('guides', () => {
  it('are none without their folder', () => {
    const guides = new Guides('/nowhere/docs');
    expect(guides.names).toEqual([]);
    expect(guides.has('api')).toBe(false);
  });

  it('link to those that are there, and to nothing else of the repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guides-'));
    writeFileSync(join(folder, 'api.md'), '# The API\n');
    writeFileSync(
      join(folder, 'recipes.md'),
      '# Recipes\n\n[a](api.md) [b](api.md#filters) [c](#d) [e](analysis.md) [f](../clients/api.md) [g](operations.md)\n',
    );
    const guides = new Guides(folder);
    expect(guides.names).toEqual(['recipes', 'api']);
    const { title, html } = await guides.read('recipes');
    expect([title, html.text]).toEqual([
      'Recipes',
      '<p><a href="/help/guides/api">a</a> <a href="/help/guides/api#filters">b</a> <a href="#d">c</a> e f g</p>\n',
    ]);
    rmSync(folder, { recursive: true });
  });
});
