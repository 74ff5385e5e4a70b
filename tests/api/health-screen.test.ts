import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RELEASE } from '../../server/core/release.ts'
import { fieldwork } from './support.ts'

const app = await fieldwork()
const health = async () => (await app.as('admin').call('organization.health')).body.data

test('administrators read the checks of npm run doctor, without the settings', async () => {
  const { release, lines } = await health()
  expect(release).toBe(RELEASE)
  const parts = lines.map(({ part }) => part)
  expect(parts).toEqual(
    expect.arrayContaining(['folder', 'database', 'migrations', 'files', 'backup', 'sender', 'mail', 'grows']),
  )
  expect(parts).not.toContain('settings')
  for (const { sentence } of lines) expect(sentence).toMatch(/\.$/)
  expect(lines.find(({ part }) => part === 'backup')).toMatchObject({ state: 'look', sentence: 'npm run backup has made none.' })
})

test('nobody else does', async () => {
  expect((await app.as('client').call('organization.health')).status).toBe(403)
  expect((await app.as('stranger').call('organization.health')).status).toBe(401)
})

test('names what is wrong, without passwords', async () => {
  const { services } = app
  const before = { settings: services.settings, contents: services.contents }
  try {
    const smtpUrl = 'smtp://somebody:secret@127.0.0.1:1'
    Object.assign(services, {
      settings: { ...services.settings, smtpUrl },
      contents: { looked: 9, missing: 4 },
    })
    const { lines } = await health()
    const wrong = lines.filter(({ state }) => state === 'wrong').map(({ sentence }) => sentence)
    expect(wrong).toEqual(
      expect.arrayContaining([
        'Of 9 files that were looked for, 4 have no content in the store.',
        'Emails come from support@fieldwork.test.',
      ]),
    )
    expect(JSON.stringify(lines)).not.toContain('secret')
  } finally {
    Object.assign(services, before)
  }
})

test('names the folder of files once it can’t be written', async () => {
  const { files } = app.services
  const folder = join(app.services.settings.dataDir, 'files')
  expect(await files.trouble()).toBeNull()
  renameSync(folder, `${folder}-away`)
  onTestFinished(() => renameSync(`${folder}-away`, folder))
  expect((await health()).lines.find(({ part }) => part === 'files')).toMatchObject({
    state: 'wrong',
    sentence: `Files can’t be kept for now: the folder ${folder} can’t be written (ENOENT).`,
  })
})
