import type { DataLink } from './data-section.js';
import { type Html, jsonLd } from '../../web/html.js';

/** The data of a page: what they are, the address of the page itself, and where to load them. */
interface DatasetDescription {
  readonly name: string;
  readonly description: string;
  /** Of the page: path and parameters. */
  readonly address: string;
  readonly links: readonly DataLink[];
}

/**
 * The data of a page as a schema.org `Dataset`, by which search engines for data find them.
 * @param more further properties, by their names in schema.org
 */
export const datasetBlock = (
  { name, description, address, links }: DatasetDescription,
  origin: string,
  more: object = {},
): Html =>
  jsonLd({
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name,
    description,
    url: origin + address,
    isAccessibleForFree: true,
    ...more,
    distribution: links
      .filter(isThere)
      .flatMap((link) => [
        download(link.label, 'application/json', origin + link.address()),
        download(link.label, 'text/csv', origin + link.address('csv')),
      ]),
  });

/** Whether the data can be had at once. */
const isThere = ({ formats }: DataLink) => formats === undefined || formats.length > 0;

const download = (name: string, encodingFormat: string, contentUrl: string) => ({
  '@type': 'DataDownload',
  name,
  encodingFormat,
  contentUrl,
});
