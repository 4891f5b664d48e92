import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    mkdirSync(join(folder, 'api'));
    writeFileSync(join(folder, 'api/README.md'), '# The API\n');
    writeFileSync(
      join(folder, 'api/filters.md'),
      '# Filters\n\n[a](README.md) [b](filters.md) [c](../recipes.md#d) [d](errors.md) [e](recipes.md)\n',
    );
    writeFileSync(
      join(folder, 'recipes.md'),
      '# Recipes\n\n[a](api/README.md) [b](api/filters.md#facets) [c](#d) [e](analysis.md) [f](../clients/README.md) [g](operations.md)\n',
    );
    const guides = new Guides(folder);
    expect(guides.names).toEqual(['recipes', 'api', 'api/filters']);
    expect(guides.listed).toEqual(['recipes', 'api']);
    const { title, html } = await guides.read('recipes');
    expect([title, html.text]).toEqual([
      'Recipes',
      '<p><a href="/help/guides/api">a</a> <a href="/help/guides/api/filters#facets">b</a> <a href="#d">c</a> e f g</p>\n',
    ]);
    expect((await guides.read('api/filters')).html.text).toBe(
      '<p><a href="/help/guides/api">a</a> <a href="/help/guides/api/filters">b</a> <a href="/help/guides/recipes#d">c</a> d e</p>\n',
    );
    rmSync(folder, { recursive: true });
  });
});
