import { Controller, Get, Injectable, Module, Post, type Type } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { ServiceLog } from '../../src/platform/logging/service-log.js';
import { Public } from '../../src/platform/http/routes.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A company's module as Nest's documentation writes it, with repositories. */
@Injectable()
class OrdersService {
  constructor(
    @InjectRepository(Commodity) readonly commodities: Repository<Commodity>,
    readonly unitOfWork: UnitOfWork,
  ) {}
}

@Controller('orders')
class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  list() {
    return this.orders.commodities.find({ order: { id: 'ASC' }, select: { name: true } });
  }

  @Public()
  @Post('save')
  async save() {
    await this.orders.commodities.save({ name: 'Saved', hs_code: null, category: '' });
  }

  @Public()
  @Post('insert')
  async insert() {
    await this.orders.commodities.insert({ name: 'Inserted', hs_code: null, category: '' });
  }

  @Public()
  @Post('query')
  async query() {
    await this.orders.commodities.query("DELETE FROM commodity WHERE name = 'Maize'");
  }

  @Public()
  @Post('unit-of-work')
  async write() {
    await this.orders.unitOfWork.run((transaction) =>
      transaction.manager.insert(Commodity, { name: 'Written', hs_code: null, category: '' }),
    );
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Commodity])],
  controllers: [OrdersController],
  providers: [OrdersService],
})
class OrdersModule {}

describe('the repository of a company’s module', () => {
  let service: TestApp;
  const errors: string[] = [];
  beforeAll(async () => {
    service = await startTestApp({ LOG_LEVEL: 'error' }, [OrdersModule as Type]);
    service.app.get(ServiceLog).sink.write = (line) => void errors.push(line);
    await service.unitOfWork.run((transaction) =>
      transaction.manager.insert(Commodity, { name: 'Maize', hs_code: null, category: '' }),
    );
  });
  afterAll(() => service?.close());

  const names = async () => {
    const { body } = await service.http().get('/orders').expect(200);
    return (body as { name: string }[]).map(({ name }) => name);
  };

  it.each(['save', 'insert', 'query'])('does not write by %s, and the log says what to use', async (way) => {
    errors.length = 0;
    const response = await service.http().post(`/orders/${way}`).send({});
    expectProblem(response, { status: 500, code: 'error' });
    expect(response.text).not.toContain('UnitOfWork');
    expect(errors.join('\n')).toContain('write by UnitOfWork.run() or change()');
    expect(await names()).toEqual(['Maize']);
  });

  it('reads what a unit of work writes', async () => {
    await service.http().post('/orders/unit-of-work').send({}).expect(201);
    expect(await names()).toEqual(['Maize', 'Written']);
  });
});
