/** What the block of JSON in a figure says (`layout/chart-data.ts`); days are from 1970-01-01. */
export interface ChartData {
  title: string;
  unit: string;
  lines: { name: string; points: [day: number, value: number][] }[];
  band?: { name: string; points: [day: number, low: number, high: number][] };
  marks: [day: number, label: string][];
}
