/** What pages say of their pictures. */
export const imagesTexts = {
  chart: 'The chart as a file:',
  needsSeries: 'uuids must name one or more series.',
  noChart: 'This page has no chart in this state.',
};
