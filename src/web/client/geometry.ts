/** Where the lines of a drawn chart are, in units of its `viewBox`. */
export interface Geometry {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** By line: where its points are, from left to right. */
  points: { x: number; y: number }[][];
}

/** Reads from a chart what is drawn where, so that scripts need no second drawing of it. */
export function geometryOf(svg: SVGSVGElement): Geometry | null {
  const points: Geometry['points'] = [];
  for (const shape of svg.querySelectorAll<SVGElement>('path.line, circle.line')) {
    const line = Number(/\bline(\d+)\b/.exec(shape.getAttribute('class')!)?.[1]);
    (points[line] ??= []).push(...pointsOf(shape));
  }
  const all = points.flat();
  const rows = [...svg.querySelectorAll('line.grid')]
    .filter((row) => row.getAttribute('y1') === row.getAttribute('y2'))
    .map((row) => Number(row.getAttribute('y1')));
  if (all.length === 0 || rows.length === 0) return null;
  for (const line of points) line?.sort((one, other) => one.x - other.x);
  return {
    left: Math.min(...all.map(({ x }) => x)),
    right: Math.max(...all.map(({ x }) => x)),
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    points,
  };
}

function pointsOf(shape: SVGElement): { x: number; y: number }[] {
  if (shape.tagName === 'circle')
    return [{ x: Number(shape.getAttribute('cx')), y: Number(shape.getAttribute('cy')) }];
  const numbers = shape.getAttribute('d')!.match(/[\d.]+ [\d.]+/g) ?? [];
  return numbers.map((pair) => {
    const [x, y] = pair.split(' ').map(Number);
    return { x: x!, y: y! };
  });
}
