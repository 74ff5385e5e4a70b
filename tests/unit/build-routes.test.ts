import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutAbout } from '../../scripts/route-about.ts'
import { routes } from '../../src/routing/routes.ts'
import { checkRows } from './rows.ts'

const folder = join(import.meta.dirname, '../../src/routing')

test('the build has every route, without its description', () => {
  checkRows(['catalogue', 'forms', 'outside', 'people', 'projects'], (file) => {
    const source = readFileSync(join(folder, `${file}.ts`), 'utf8')
    const built = withoutAbout(source)
    expect(source).toMatch(/\babout: ['"]/)
    expect(built).not.toMatch(/\babout: ['"]/)
    expect(() => stripTypeScriptTypes(built)).not.toThrow()
    for (const { path } of Object.values(routes))
      if (source.includes(`route('${path}'`)) expect(built).toContain(`route('${path}'`)
  })
})
