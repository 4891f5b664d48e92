import { writeDatapoints } from '../prices/datapoint.view.js';
import type { PriceShape } from '../prices/price-shape.js';
import { massFactor } from './fpma-entry.view.js';

/** The prices of a series as the live tool gives them: exactly `{uuid, datapoints}`, and points of eight keys. */
export const fpmaPriceObject: PriceShape = {
  keptAs: 'fpma',
  separator: ',',
  conversionFactor: massFactor,
  write(writer, series, setting) {
    writer.ascii(`{"uuid":"${setting.catalogue.uuidAt(setting.place)}","datapoints":[`);
    writeDatapoints(writer, series, setting, false);
    writer.ascii(']}');
  },
};
