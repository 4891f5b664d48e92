/** The part of the stylesheet for maps. Colours run from the ground to what stands out from it. */
export const MAP_STYLE = `
:root {
  --land: #e3e7eb; --stripe: #8c959f; --edge: #57606a;
  --share0: #fde8c8; --share1: #fdb976; --share2: #ee8137; --share3: #c44a0e; --share4: #7a2604;
  --fall1: #08519c; --fall0: #5a9bd4; --even: #6e7781; --rise0: #e5762b; --rise1: #7a2604;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --land: #262d35; --stripe: #6b7681; --edge: #a5afba;
    --share0: #4a2d1b; --share1: #7c431c; --share2: #b96222; --share3: #ee9440; --share4: #ffdba6;
    --fall1: #a6d3ff; --fall0: #4a8ecb; --even: #8b949e; --rise0: #c9651c; --rise1: #ffc08a;
  }
}
.world { margin-inline: 0; }
svg.map { display: block; inline-size: 100%; block-size: auto; }
.map .land { fill: var(--land); stroke: var(--ground); }
.map .stripe { fill: var(--stripe); }
.map .edge { stroke: var(--edge); }
${[0, 1, 2, 3, 4].map((index) => `.map .share${index} { fill: var(--share${index}); }`).join('\n')}
${['fall1', 'fall0', 'even', 'rise0', 'rise1'].map((name) => `.map .${name} { fill: var(--${name}); }`).join('\n')}
.map .past { fill: none; stroke: var(--stripe); stroke-width: 1.5; }
.map .land { vector-effect: non-scaling-stroke; }
.markets { margin-inline: 0; }
.markets > svg.map { max-inline-size: 30rem; }
.map a:is(:hover, :focus-visible) :is(path, circle, rect.tile) { stroke: var(--link); stroke-width: 3; }
.map a:focus-visible:not(:has(.tile)) { outline: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; padding: 0; margin-block: .5rem; font-size: .875rem; }
.legend li { display: flex; gap: .4rem; align-items: center; }
.legend svg.map { inline-size: 1.5rem; block-size: 1rem; }
.markets .legend svg.map { inline-size: 1.25rem; block-size: 1.25rem; }
.markets .legend .edge, .markets .legend svg.map > * { stroke: var(--edge); }
.markets .legend .past { stroke: var(--stripe); }
`;
