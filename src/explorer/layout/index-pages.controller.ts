import { Controller, Get } from '@nestjs/common';
import { Reply } from '../../platform/http/reply.js';
import { RequestQuery } from '../../platform/http/params.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { ExplorerPages } from './explorer-page.js';

/** Who shortens the address of a country or market is led to where all of them are. */
@Controller()
@ExplorerPages()
export class IndexPagesController {
  @Get('countries')
  countries(@RequestQuery(noParameters) _: object): Reply {
    return leadTo('/#countries');
  }

  @Get('markets')
  markets(@RequestQuery(noParameters) _: object): Reply {
    return leadTo('/browse?order=market');
  }
}

const leadTo = (address: string): Reply => Reply.empty({ status: 302, headers: { Location: address } });
