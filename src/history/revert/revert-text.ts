import type { Effects } from './revert-counts.js';
import type { RevertResult } from './reverts.js';

/** The result of a revert as text. */
export function resultText(id: number, { change_set: by, counts }: RevertResult): string {
  const effects = ({ added, changed, removed }: Effects) =>
    `${added} came back, ${changed} changed, ${removed} removed`;
  const { reopened, rebased, ended } = counts.corrections;
  return [
    by === null
      ? `Change set ${id} (dry run: nothing is stored)`
      : `Change set ${id} was reverted by change set ${by}`,
    `  points       ${effects(counts.points)}`,
    `  series       ${effects(counts.series)}`,
    `  records      ${effects(counts.records)}`,
    `  corrections  ${reopened} stand again, ${rebased} with another base, ${ended} ended`,
    `  left alone   ${counts.changed_since} changed since, ${counts.still_used} still used`,
    ...(counts.later_inputs.length > 0 ? ['Import these again, in this order:'] : []),
    ...counts.later_inputs.map(
      ({ change_set_id, format, input }) =>
        `  ${format} ${input || 'from standard input'} (change set ${change_set_id})`,
    ),
  ].join('\n');
}
