import { ReportBuilder } from '../../import/pipeline/import-report.js';
import { reportFacts } from './report-facts.js';

const report = (dryRun: boolean, error: string | null) =>
  reportFacts(new ReportBuilder({ format: 'wfp' }, 'a.csv', dryRun).finish('', 0, error)).toString();

it('the facts of a report say that findings are not computed of a check that was too large for it, and of nothing else', () => {
  const notComputed = 'not computed: the file is too large to be tried as a whole';
  expect(report(true, null)).toContain(notComputed);
  // An import that is running, or was stopped, as its change set keeps it.
  expect(report(false, null)).not.toContain('not computed');
  expect(report(true, 'The input is empty.')).not.toContain('not computed');
});
