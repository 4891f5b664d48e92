import { Module } from '@nestjs/common';
import { ChangeSets } from './change-sets.js';
import { ChangeSetsController } from './change-sets.controller.js';

/** How the data came to be what they are. */
@Module({ controllers: [ChangeSetsController], providers: [ChangeSets] })
export class HistoryModule {}
