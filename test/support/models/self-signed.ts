import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate that nobody has a reason to trust, made for this once. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-tls-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const where = ['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'];
  const result = spawnSync('openssl', ['req', '-x509', ...curve, ...where]);
  try {
    if (result.status !== 0) throw new Error('openssl could not make a certificate: is it installed?');
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
