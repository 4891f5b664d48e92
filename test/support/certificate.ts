import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Files of a certificate in PEM. */
interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/**
 * Makes a certificate that has signed itself, by openssl.
 * @param folder where its files are written
 * @param subject what it is of, as `DNS:example.org` or `IP:127.0.0.1`
 */
export function createCertificate(folder: string, subject: string): Certificate {
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') };
  const name = subject.slice(subject.indexOf(':') + 1);
  const { status, stderr, error } = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${name}`
      .split(' ')
      .concat('-addext', `subjectAltName=${subject}`, '-keyout', files.key, '-out', files.certificate),
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl: ${error?.message ?? stderr}`);
  return files;
}
