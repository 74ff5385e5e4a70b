import { beforeAll, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const upload = async (original_name = 'brief.pdf') => (await app.make.file({ uploaded_by: app.admin.id, original_name })).id

test('uploads become a project’s assets with their types, in one transaction', async () => {
  const { id } = await app.make.project({ client_id: app.client.id })
  const assets = [
    { file_id: await upload('brief.pdf'), asset_type: 'Survey Document' as const, description: 'The brief' },
    { file_id: await upload('stores.csv'), asset_type: 'Location List' as const },
  ]
  const { body } = await admin().call('file.addAssets', { id, assets })
  expect(body.data).toMatchObject([
    { project_id: id, kind: 'asset', asset_type: 'Survey Document', description: 'The brief' },
    { project_id: id, kind: 'location', asset_type: 'Location List' },
  ])
})

test.each([
  ['Please select an asset', [], 'assets'],
  ['Please select an asset', [{ file_id: 999_999, asset_type: 'Creative Assets' }], 'assets.0.file_id'],
  ['Please choose an asset type', [{ file_id: 1, asset_type: '' }], 'assets.0.asset_type'],
])('says “%s”', async (message, assets, field) => {
  const { id } = await app.make.project({ client_id: app.client.id })
  const { status, body } = await admin().call('file.addAssets', { id, assets: assets as never })
  expect([status, body.fields]).toEqual([422, { [field]: message }])
})

test('a file of another type is refused with the accepted types, and nothing is added', async () => {
  const { id } = await app.make.project({ client_id: app.client.id })
  const assets = [
    { file_id: await upload(), asset_type: 'Survey Document' as const },
    { file_id: await upload('song.mp3'), asset_type: 'Creative Assets' as const },
  ]
  const { body } = await admin().call('file.addAssets', { id, assets })
  const types = 'mp4, mov, jpg, jpeg, png, gif, pdf, doc, docx, xls, xlsx, csv, txt'
  expect(body.fields).toEqual({ 'assets.1.file_id': `Invalid file type.  File must be one of following types ${types}` })
  expect((await admin().call('project.get', { id })).body.data.files).toEqual([])
})

test('undo removes the assets again', async () => {
  const { id } = await app.make.project({ client_id: app.client.id })
  const made = await admin().call('file.addAssets', { id, assets: [{ file_id: await upload(), asset_type: 'Creative Assets' }] })
  await admin().call('undo.take', { id: Number(made.headers['x-undo']) })
  expect((await admin().call('project.get', { id })).body.data.files).toEqual([])
})
