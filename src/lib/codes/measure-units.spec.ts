import { parseUnitName } from './measure-units.js';

const mass = (conversion_factor: number | null) => ({ dimension: 'mass', conversion_factor });
const volume = (conversion_factor: number | null) => ({ dimension: 'volume', conversion_factor });
const count = { dimension: 'count', conversion_factor: null };
const other = { dimension: 'other', conversion_factor: null };

describe('parseUnitName', () => {
  it.each([
    ['KG', mass(1)],
    ['Kg', mass(1)],
    ['100 KG', mass(0.01)],
    ['100 kg', mass(0.01)],
    ['46 KG', mass(0.0217391304347826)],
    ['177.35 KG', mass(0.00563856780377784)],
    ['0.13 KG', mass(7.69230769230769)],
    ['1/2 kg', mass(2)],
    ['900 G', mass(1.11111111111111)],
    ['MT', mass(0.001)],
    ['tonne', mass(0.001)],
    ['Pound', mass(2.20462262184878)],
    ['lb', mass(2.20462262184878)],
    ['100 Pounds', mass(0.0220462262184878)],
    ['12 oz', mass(2.9394968291317)],
    ['Spanish quintal (46 kg)', mass(0.0217391304347826)],
    ['viss (1.63 kg)', mass(0.613496932515337)],
    ['Box (18.14 kg)', mass(0.0551267916207277)],
    ['Libra', mass(null)],
    ['Quintal', mass(null)],
    ['L', volume(1)],
    ['0.9 Liter', volume(1.11111111111111)],
    ['750 ML', volume(1.33333333333333)],
    ['100 liters', volume(0.01)],
    ['Cubic meter', volume(0.001)],
    ['US gallon', volume(0.264172052358148)],
    ['Gallon', volume(null)],
    ['Unit', count],
    ['1 piece', count],
    ['30 pcs', count],
    ['2 Dozens', count],
    ['Head', count],
    ['Bunch (tomatoes)', other],
    ['Marmite', other],
    ['Cuartilla', other],
    ['Packet', other],
    ['Sack', other],
    ['Box', other],
    ['Barrel', other],
    ['Day', other],
    ['kWh', other],
    ['1 GB', other],
    ['USD/LCU', other],
    ['1,000 g', other],
    ['12 fl oz', other],
    ['', other],
    ['constructor', other],
    ['2 valueOf', other],
    ['__proto__', other],
    ['Sack (5 constructor)', other],
  ])('%s', (name, attributes) => expect(parseUnitName(name)).toEqual(attributes));

  it.each(['0 KG', '1/0 kg', '0/0 kg', `1${'0'.repeat(101)} kg`])(
    'returns no factor for an impossible size: %s',
    (name) => expect(parseUnitName(name)).toEqual(mass(null)),
  );
});
