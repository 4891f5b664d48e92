import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { SampleData } from '../sample/sample-data.js';
import { withDatabase } from './command-services.js';

/** `npm run sample -- load|remove`: works with and without a running server. */
await runCommand('Usage: npm run sample -- load|remove', ([action, ...more]) => {
  if ((action !== 'load' && action !== 'remove') || more.length > 0) throw new UsageError();
  return withDatabase(
    async (services) => {
      const sample = services.get(SampleData);
      if (action === 'load') {
        await sample.load();
        console.log('The sample is loaded.');
      } else {
        const { series, points, records } = await sample.remove();
        console.log(`Removed ${series} series, ${points} prices and ${records} records.`);
      }
      return 0;
    },
    { mayBeNew: action === 'load' },
  );
});
