// Generates both typed clients from a document of the API: `node tests/clients/generate.ts DOCUMENT FOLDER`.
// As an integrator would, it takes each generator's own defaults, but for what its comment gives a reason for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const [source, folder] = process.argv.slice(2) as [string, string]

const blob = ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
const types = await openapiTypes(JSON.parse(readFileSync(source, 'utf8')), {
  // A file's content is a string to it, unless it is told otherwise; its manual has this transformation.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
})
writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(types))

await createClient({
  input: source,
  // Node reads TypeScript only where imports name the file.
  output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch'],
  logs: { level: 'silent' },
})
