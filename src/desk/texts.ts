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
    signedIn: 'You are signed in.',
    goOn: 'Go on',
    notBegun: 'The sign-in was not begun in this browser, or took more than ten minutes. Begin again.',
    rejected: (error: string | undefined) =>
      `The identity provider has not signed you in${/^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''}.`,
  },
  error: {
    back: 'To the desk',
    crossSite: 'Another site has sent you here, so nothing was done. Open the page from here if you mean to.',
    open: 'Open the page',
    formToken:
      'The form does not belong to your session, so nothing was done. Open its page again and send it from there.',
  },
  tables: tablesTexts,
};
