import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCodeRow } from '../../contract/errorCodes.ts'

const rows: Readonly<Record<string, ErrorCodeRow>> = ERROR_CODES
const root = join(import.meta.dirname, '../..')

/** The source of the server and of what runs inside it. */
const sources = ['server', 'contract', 'verbs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') })),
)

test('each error that is thrown with a status has it in the table of codes', () => {
  const thrown = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new (?:HttpError|ApiError)\(\s*(\d{3}),\s*(?:'(\w+)'|\{[^}]*code: '(\w+)')/g)].map(
      ([, status, code, inBody]) => ({ path, status: Number(status), code: (code ?? inBody)! }),
    ),
  )
  expect(thrown.length).toBeGreaterThan(80)
  const unlisted = thrown.filter(({ status, code }) => !rows[code]?.statuses.includes(status))
  expect(unlisted).toEqual([])
})

test('each code of the table is used', () => {
  const used = sources.filter(({ path }) => path !== 'contract/errorCodes.ts').map(({ text }) => text)
  const unused = Object.keys(rows).filter((code) => !used.some((text) => text.includes(`'${code}'`)))
  expect(unused).toEqual([])
})
