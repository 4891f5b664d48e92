/** What pages say of their pictures. */
export const imagesTexts = {
  chart: 'Save the chart:',
  svg: 'SVG',
  png: 'PNG',
  dark: 'PNG on dark',
  narrow: 'PNG for phones',
  needsSeries: 'uuids must name one or more series.',
  noChart: 'This page has no chart in this state.',
};
