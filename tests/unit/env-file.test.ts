import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { loadEnvFile, parseEnvFile } from '../../server/core/envFile.ts'
import { SettingsError } from '../../server/core/settings.ts'

const GOOD = `# settings
FILES_URL=s3://key:secret@bucket/files?region=eu&endpoint=http%3A%2F%2Fs3.test

PUBLIC_URL = https://portal.test
SINGLE='a # b $c "d"'
DOUBLE="a 'b' # c"
EMPTY=
LAST=x y
`

test('a file is read as by Node, whose reading of these lines is that of systemd and Docker', () => {
  expect(Object.fromEntries(parseEnvFile(GOOD, 'file'))).toEqual({ ...parseEnv(GOOD) })
  expect(parseEnvFile('A=1\r\nB=2\r\n', 'file')).toEqual(
    new Map([
      ['A', '1'],
      ['B', '2'],
    ]),
  )
})

test.each([
  'A=pass#word',
  'A=word # comment',
  'A=$HOME',
  'A="$HOME"',
  "A='it\\'s'",
  'A="a\\nb"',
  'A=a\\',
  'A="open',
  "A=a'b'",
  'A=`a`',
  'export A=1',
  'A',
  '; comment',
  '1A=x',
  'A=1\nA=2',
])('refuses what they read differently, without repeating it: %s', (line) => {
  const refused = () => parseEnvFile(line, 'fieldwork.env')
  expect(refused).toThrow(SettingsError)
  expect(refused).toThrow(/^Line [12] of fieldwork\.env /)
  expect(refused).not.toThrow(/pass|word|HOME/)
})

test('the environment wins unless it is empty, and what differs is said', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'fieldwork-env-')), 'fieldwork.env')
  writeFileSync(path, 'PORT=4001\nHOST=::1\nDEMO=none\nMCP=off')
  const env: Record<string, string> = { PORT: '4000', HOST: '', DEMO: 'none' }
  expect(loadEnvFile(path, env)).toEqual({
    taken: ['HOST', 'MCP'],
    ignored: [`PORT is taken from the environment, not from ${path}.`],
  })
  expect(env).toEqual({ PORT: '4000', HOST: '::1', DEMO: 'none', MCP: 'off' })
})
