import { Injectable } from '@nestjs/common';
import type { NoticeSource } from '../platform/http/request.js';
import { SeriesCatalogue } from '../price-series/catalogue/catalogue.js';
import { sampleNotice } from '../price-series/sample-source.js';

/** Says that prices are invented while the sample is stored. */
@Injectable()
export class SampleNotice implements NoticeSource {
  constructor(private readonly catalogue: SeriesCatalogue) {}

  async current(): Promise<string | null> {
    return sampleNotice(await this.catalogue.current());
  }
}
