import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { nearlySpelled, readSettings, SETTINGS } from '../../server/core/settings.ts'

const DATABASE_URL = 'postgres://fieldwork@primary/fieldwork'

test('read replicas are separated by spaces or commas', () => {
  const [one, two] = ['postgres://fieldwork@one/fieldwork', 'postgres://fieldwork@two/fieldwork']
  expect(readSettings({ DATABASE_URL, DATABASE_READ_URL: `${one} ${two}` }).readUrls).toEqual([one, two])
  expect(readSettings({ DATABASE_URL }).readUrls).toEqual([])
})

test('a wrong address of a replica is refused without repeating its password', () => {
  const refused = () => readSettings({ DATABASE_URL, DATABASE_READ_URL: 'mysql://fieldwork:secret@one/fieldwork' })
  expect(refused).toThrow(/DATABASE_READ_URL/)
  expect(refused).not.toThrow(/secret/)
})

test('replicas without a database of PostgreSQL are refused', () => {
  expect(() => readSettings({ DATABASE_READ_URL: DATABASE_URL })).toThrow(/DATABASE_READ_URL needs DATABASE_URL/)
})

test('a folder of files is named by its whole path', () => {
  for (const FILES_URL of ['file:files', 'file:./files', 'file:/files', 'file://server/files'])
    expect(() => readSettings({ FILES_URL })).toThrow(
      `FILES_URL must name a folder by its whole path, such as file:///var/lib/fieldwork/files, not "${FILES_URL}".`,
    )
  expect(readSettings({ FILES_URL: 'file:///var/files' }).filesUrl).toBe('file:///var/files')
})

test('the page of settings has every setting, and no other', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/settings.md'), 'utf8')
  const rows = page
    .slice(0, page.indexOf('## Commands'))
    .split('\n')
    .filter((line) => line.startsWith('- `'))
  const names = rows.flatMap((line) => [...line.split(/ \(|: /)[0]!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!))
  expect(names.sort()).toEqual([...SETTINGS].sort())
})

test('every setting that is read is in the table', () => {
  const read = new Set<string>()
  readSettings(new Proxy({}, { get: (_, name) => void read.add(String(name)) }))
  const byOthers = ['ADMIN_PASSWORD', 'OTEL_SERVICE_NAME']
  expect([...read].sort()).toEqual(SETTINGS.filter((name) => !byOthers.includes(name)).sort())
})

test('a variable that is nearly a setting is named, and no other', () => {
  expect(nearlySpelled(['TIMEZONE', 'DATABASE_URI', 'PUBLICURL', 'FILE_URL', 'TRUST_PROXIES'])).toEqual([
    'TIMEZONE is no setting of Fieldwork. Is TIME_ZONE meant?',
    'DATABASE_URI is no setting of Fieldwork. Is DATABASE_URL meant?',
    'PUBLICURL is no setting of Fieldwork. Is PUBLIC_URL meant?',
    'FILE_URL is no setting of Fieldwork. Is FILES_URL meant?',
    'TRUST_PROXIES is no setting of Fieldwork. Is TRUST_PROXY meant?',
  ])
  const others = [
    'HOME',
    'HOSTNAME',
    'HOSTTYPE',
    'PATH',
    'PWD',
    'OLDPWD',
    'LOGNAME',
    'USER',
    'SHELL',
    'SHLVL',
    'LANG',
    'LC_ALL',
    'TERM',
  ]
  const more = [
    'TZ',
    'EDITOR',
    'DISPLAY',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'PGHOST',
    'PGPASSWORD',
    'INVOCATION_ID',
  ]
  const aws = [
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'JOURNAL_STREAM',
    'DATABASE',
    'TMPDIR',
    'MAIL',
    'STATE_DIRECTORY',
    'KUBERNETES_PORT',
  ]
  expect(nearlySpelled([...others, ...more, ...aws, ...SETTINGS])).toEqual([])
})

test.each([
  [{ PUBLIC_URL: 'https://x.test/portal' }, /PUBLIC_URL must be an address without a path, such as https:\/\/x\.test, not/],
  [{ PUBLIC_URL: 'https://x.test/?a=1' }, /without a path/],
  [{ LOG_LEVEL: 'verbose' }, /LOG_LEVEL must be trace, debug, info, warn, error, fatal, silent, not "verbose"\./],
  [{ DATABASE_URL: 'postgres://a:b#c@h/d' }, /DATABASE_URL can’t be read as an address: encode .* # as %23/],
  [{ DATABASE_URL: `${DATABASE_URL}?sslmode=on` }, /DATABASE_URL: sslmode must be disable, .*verify-full, not "on"\./],
  [{ DATABASE_URL, DATABASE_READ_URL: `${DATABASE_URL}?sslmode=on` }, /DATABASE_READ_URL: sslmode must be/],
  [{ SMTP_URL: 'smtp://' }, /SMTP_URL lacks the name of a server after smtp:\/\/\./],
  [{ FILES_URL: 's3:///folder' }, /FILES_URL lacks the name of a bucket after s3:\/\/\./],
  [{ ANALYTICS: 'yes' }, /ANALYTICS must be on or off, not "yes"\./],
  [{ KEEP_DAYS: 'mail=3' }, /KEEP_DAYS has no "mail": is mails meant\?/],
  [{ KEEP_DAYS: 'mails=36501' }, /mails must be a whole number of days from 0 \(all\) to 36500, not "36501"\./],
  [{ LIMITS: 'views=1=2' }, /LIMITS: views must be a whole number from 1 to 1000000000, not "1=2"\./],
  [{ LIMITS: 'views=1,views=2' }, /LIMITS has views twice\./],
  [{ HOST: '[::1]' }, /HOST must be .* without brackets/],
  [{ PORT: '4000', METRICS_PORT: '4000' }, /METRICS_PORT must be another port than PORT/],
])('a wrong setting is a sentence: %j', (env, sentence) => {
  expect(() => readSettings(env as Record<string, string>)).toThrow(sentence)
})

test('a database that asks for TLS has its certificate checked, as pg does it', () => {
  for (const mode of ['prefer', 'require', 'verify-ca'])
    for (const name of ['DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'DATABASE_URL']) {
      const settings = readSettings({ DATABASE_URL, [name]: `${DATABASE_URL}?sslmode=${mode}&sslrootcert=/ca.pem` })
      const checked = `${DATABASE_URL}?sslmode=verify-full&sslrootcert=%2Fca.pem`
      expect([settings.databaseUrl, settings.directUrl, ...settings.readUrls]).toContain(checked)
    }
  for (const query of ['', '?sslmode=disable', '?sslmode=require&uselibpqcompat=true'])
    expect(readSettings({ DATABASE_URL: `${DATABASE_URL}${query}` }).databaseUrl).toBe(`${DATABASE_URL}${query}`)
})
