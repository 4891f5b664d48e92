/** The part of the stylesheet for charts in frames of other sites, and for the code of a frame. */
export const EMBED_STYLE = `
.embed main, .embed footer { max-inline-size: none; padding: .25rem .5rem; }
.embed svg.chart { display: none; max-block-size: calc(100vh - 2.5rem); }
@media (max-width: 479.9px) { .embed svg.embed-narrow { display: block; } }
@media (min-width: 480px) and (max-width: 839.9px) { .embed svg.embed-medium { display: block; } }
@media (min-width: 840px) { .embed svg.embed-wide { display: block; } }
.embed footer { border: 0; }
.embed-code { margin-block: .5rem; }
textarea { resize: vertical; }
textarea[readonly] { font: .85rem/1.4 ui-monospace, monospace; background: var(--raised); padding: .5rem; }
`;
