import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../../auth/auth.module.js';
import { FormTokens } from './form-tokens.js';
import { SealedForms } from './sealed-forms.js';
import { UnsavedForms } from './unsaved-forms.js';

/** What modules with `@DeskPages()` import: sessions, and the tokens of forms. */
@Module({
  imports: [AuthModule, DiscoveryModule],
  providers: [FormTokens, SealedForms, UnsavedForms],
  exports: [AuthModule, FormTokens, UnsavedForms],
})
export class DeskSessionModule {}
