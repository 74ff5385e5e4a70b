import { beforeAll, expect, test } from 'vitest'
import { RELEASE } from '../../server/core/release.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { lookForContents } from '../../server/files/lookForContents.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const health = async () => (await app.app.inject({ method: 'GET', url: '/healthz' })).json()

test('a store that lacks what rows name is said by the log and by GET /healthz until it is the right one', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  for (let at = 0; at < 60; at++) {
    const storage_key = `uploads/2026-11/${at}.png`
    await app.services.files.put(storage_key, 'x', 'image/png')
    await app.make.file({ project_id: project.id, storage_key, uploaded_by: app.admin.id })
  }
  const logged: string[] = []
  const log = { ...app.services.log, error: (sentence: string) => logged.push(sentence) } as unknown as typeof app.services.log
  const files = await openFiles({ dataDir: `${app.services.settings.dataDir}/elsewhere`, filesUrl: null })
  expect(await health()).toEqual({ status: 'ready', release: RELEASE })

  await lookForContents({ ...app.services, log, files })
  await lookForContents({ ...app.services, log, files })
  expect(logged).toEqual([expect.stringContaining('lacks the contents of 60 of 60 files that were looked for')])
  expect(await health()).toEqual({ status: 'ready', release: RELEASE, files_looked_for: 60, files_missing: 60 })

  await lookForContents({ ...app.services, log })
  expect(await health()).toEqual({ status: 'ready', release: RELEASE })
})
