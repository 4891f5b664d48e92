/** The part of the stylesheet for maps. Colours run from the ground to what stands out from it. */
export const MAP_STYLE = `
:root {
  --land: #e3e7eb; --stripe: #8c959f; --edge: #57606a;
  --share0: #fde8c8; --share1: #fdb976; --share2: #ee8137; --share3: #c44a0e; --share4: #7a2604;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --land: #262d35; --stripe: #6b7681; --edge: #a5afba;
    --share0: #4a2d1b; --share1: #7c431c; --share2: #b96222; --share3: #ee9440; --share4: #ffdba6;
  }
}
.world { margin-inline: 0; }
svg.map { display: block; inline-size: 100%; block-size: auto; }
.map .land { fill: var(--land); stroke: var(--ground); }
.map .stripe { fill: var(--stripe); }
.map .edge { stroke: var(--edge); }
${[0, 1, 2, 3, 4].map((index) => `.map .share${index} { fill: var(--share${index}); }`).join('\n')}
.map a:is(:hover, :focus-visible) :is(path, circle, rect.tile) { stroke: var(--link); stroke-width: 3; }
.map a:focus-visible:not(:has(.tile)) { outline: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; padding: 0; margin-block: .5rem; font-size: .875rem; }
.legend li { display: flex; gap: .4rem; align-items: center; }
.legend svg.map { inline-size: 1.5rem; block-size: 1rem; }
`;
