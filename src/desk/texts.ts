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
    failed: 'No active account has this user name and password.',
    throttled: (seconds: string) => `Too many attempts. Try again in ${seconds} seconds.`,
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
