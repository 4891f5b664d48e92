import { tablesTexts } from './texts/tables.js';

/** Every text of the desk that is not in the data, by page. */
export const deskTexts = {
  name: 'Desk',
  nav: {
    home: 'Home',
    upload: 'Upload',
    findings: 'Findings',
    tables: 'Tables',
    series: 'Series',
    mappings: 'Mappings',
    harvests: 'Harvests',
    changeSets: 'Change sets',
    accounts: 'Accounts',
    auditLog: 'Audit log',
  },
  footer: 'The desk keeps the data of the',
  footerLink: 'Price Data Service',
  session: {
    signIn: 'Sign in',
    signInHow: 'The desk is for those who maintain the data. Everything is open to read without it.',
    username: 'User name',
    password: 'Password',
    signOut: 'Sign out',
    byProvider: 'Sign in with the account of your company',
    byPassword: 'With an account of this service',
    passwordSet: 'Your password is set. Sign in with it.',
    signedIn: 'You are signed in.',
    goOn: 'Continue',
    kept: 'You are not signed in any more, so nothing has been saved yet. Sign in with the same account, and the form comes back as you have typed it.',
    tooLargeToKeep:
      'You are not signed in any more, so nothing has been saved yet, and the form is too large to be kept here. Sign in in another tab, go back to the form and send it again.',
    byProviderInTab: 'Sign in with the account of your company, in another tab',
    showKept: 'I have signed in: show the form',
    keptOfOther:
      'The form that was sent before is of another account. Nothing of it has been saved, and it is not shown.',
    keptTooLong:
      'The form that was sent before was kept for eight hours and is gone. Nothing of it has been saved.',
    notBegun: 'The sign-in was not begun in this browser, or took more than ten minutes. Begin again.',
    rejected: (error: string | undefined) =>
      `The identity provider has not signed you in${/^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''}.`,
  },
  error: {
    back: 'To the desk',
    crossSite: 'Another site has sent you here, so nothing was done. Open the page from here if you mean to.',
    open: 'Open the page',
    notSaved:
      'Nothing has been saved yet: you have signed in again since this page was opened. Here is what you have typed; look it over and send it again.',
    otherAccount: 'The form is from a page of another account, so nothing was done, and it is not shown.',
    formToken:
      'The form does not belong to your session, so nothing was done. Open its page again and send it from there.',
  },
  /** How alike two records or series are that are to become one. */
  likeness: {
    unplaced: 'How far apart they are is not known: one of them has no coordinates.',
    near: 'They are less than 1 km apart.',
    apart: (kilometres: string): string => `They are ${kilometres} km apart.`,
    far: 'Markets that far from each other are hardly one, unless one of the positions is wrong.',
    range: (from: string, to: string): string => `${from} to ${to}`,
    spans: (one: string, other: string): string =>
      `This one has prices of ${one}, the other one of ${other}.`,
    common: (range: string): string => `Both have prices of ${range}.`,
    apartInTime: 'They have no prices of the same time.',
    onlyOne: (range: string): string => `One of them has prices, of ${range}; the other one has none.`,
    noPrices: 'Neither has prices.',
  },
  numbers: {
    either: (text: string): string =>
      `${text} may be two numbers. Nothing has been saved yet: choose which one is meant.`,
    choose: 'Which number is meant?',
    whole: (number: string): string => `${number}, a whole number`,
    decimal: (number: string): string => `${number}, with decimals`,
  },
  tables: tablesTexts,
};
