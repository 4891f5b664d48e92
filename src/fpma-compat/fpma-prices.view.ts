import { writeDatapoints } from '../prices/read/datapoint.view.js';
import { pointsSerializer, type PriceSerializer } from '../prices/read/price-serializers.js';
import { massFactor } from './fpma-entry.view.js';

/** The prices of a series as in the live tool: `{uuid, datapoints}`, with eight keys a point. */
export const fpmaPriceObject: PriceSerializer = {
  ...pointsSerializer,
  cacheName: 'fpma',
  separator: ',',
  conversionFactor: massFactor,
  write(writer, series, setting) {
    writer.ascii(`{"uuid":"${setting.catalogue.uuidAt(setting.row)}","datapoints":[`);
    writeDatapoints(writer, series, setting, false);
    writer.ascii(']}');
  },
};
