import { DataSource } from 'typeorm';
import { Environment } from './src/config/environment.js';
import { dataSourceOptions } from './src/database/data-source-options.js';
import { entities } from './src/entities.js';

/** The data source of TypeORM's command line. */
export default new DataSource(dataSourceOptions(new Environment(), entities, 'writer'));
