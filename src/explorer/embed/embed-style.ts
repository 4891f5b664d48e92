/** The part of the stylesheet for charts in frames of other sites, and for the code of a frame. */
export const EMBED_STYLE = `
.embed main, .embed footer { max-inline-size: none; padding: .25rem .5rem; }
.embed svg.chart { max-block-size: calc(100vh - 3rem); }
.embed footer { border: 0; }
.embed-code { margin-block: .5rem; }
textarea {
  font: .85rem/1.4 ui-monospace, monospace; color: var(--text); background: var(--raised);
  border: 1px solid var(--quiet); border-radius: .3rem; padding: .5rem; inline-size: 100%; resize: vertical;
}
`;
