import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, Lock, listOf, Order, one, Search, wholeNumber } from './call.ts'
import { Content, contentFilter } from './content.ts'
import { AssetType, FileKind, ThumbState } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { fileFields } from './fileFields.ts'
import { paged } from './listInput.ts'
import { PAGE } from './pages.ts'
import { ASSET_TYPES } from './vocabulary.ts'

/** A file or document (projects-area 3). */
export const File = z.object({
  id: z.number(),
  project_id: z.number().nullable(),
  activity_id: z.number().nullable(),
  kind: FileKind,
  asset_type: AssetType,
  name: z.string(),
  original_name: z.string(),
  original_file: z.string(),
  /** The extension, in lower case. */
  file_type: z.string(),
  mime: z.string(),
  /** In bytes. */
  size: z.number(),
  description: z.string(),
  /** Signed links that save the file, and that show a picture; both are valid for 15 minutes. */
  url: z.string(),
  thumbnail: z.string(),
  /** Size in pixels as displayed, a film's length in seconds, and its rotation in degrees; null if unknown. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  seconds: z.number().nullable(),
  rotation: z.number(),
  /** State of its thumbnail: none (not a picture), queued, done or failed. */
  thumb_state: ThumbState,
  /** Why it has none, as a sentence; empty unless it failed. */
  thumb_fault: z.string(),
  uploaded_by: z.number().nullable(),
  uploaded_by_name: z.string(),
  created_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type File = z.output<typeof File>

/** Fields of the upload, in the query or in a multipart body. */
const Fields = z.object({
  project_id: Id.optional(),
  activity_id: Id.optional(),
  asset_type: z.union([z.literal(''), z.enum(ASSET_TYPES)], { error: `must be one of ${ASSET_TYPES.join(', ')}` }).default(''),
  ...createShape(fileFields),
  kind: z.enum(['asset', 'document', 'docsign', 'location']).optional(),
})
export type UploadFields = z.output<typeof Fields>
const Uploaded = z.object({ data: z.array(File), message: EffectSentence })
const ofProject = { id: Id, ...paged(PAGE.small), search: Search }
const FileList = listOf(File).extend({ page_size: z.number() })

export const fileCalls = {
  'file.upload': call({
    method: 'POST',
    path: '/v3/portal/files',
    as: 'multipart',
    files: { name: 'file', several: true },
    about: 'Uploads pictures, sound, films and other files: one or several, each below 10 MB, checked by name and content.',
    undo: true,
    input: Fields,
    output: Uploaded,
    refreshes: ['project', 'history'],
  }),
  'file.uploadDocument': call({
    method: 'POST',
    path: '/v3/portal/documents',
    as: 'multipart',
    files: { name: 'file', several: true },
    about: 'Uploads documents: one or several, each below 10 MB, checked by name and content.',
    undo: true,
    input: Fields,
    output: Uploaded,
    refreshes: ['project', 'history'],
  }),
  'file.remove': call({
    method: 'DELETE',
    path: '/v3/portal/documents',
    about: 'Deletes a document; the last signed document of a project stays.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['project', 'history'],
  }),
  'file.attach': call({
    method: 'POST',
    path: '/v3/portal/projects/file',
    about: 'Links an uploaded file to a project.',
    undo: true,
    input: z.object({ project_id: Id, file_id: Id }),
    output: one(File).extend({ message: EffectSentence }),
    refreshes: ['project', 'history'],
  }),
  'file.attachToActivity': call({
    method: 'POST',
    path: '/v3/portal/activities/file',
    about: 'Links an uploaded file to an activity and its project.',
    undo: true,
    input: z.object({ activity_id: Id, file_id: Id }),
    output: one(File).extend({ message: EffectSentence }),
    refreshes: ['project', 'activity', 'history'],
  }),
  'file.detach': call({
    method: 'DELETE',
    path: '/v3/portal/projects/file',
    about: 'Removes a file from a project and deletes it; the last signed document stays.',
    undo: true,
    input: z.object({ project_id: Id, file_id: Id }),
    output: Effected,
    refreshes: ['project', 'history'],
  }),
  'file.assets': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/assets',
    about: "Lists a project's assets, 5 a page, with the survey's address.",
    input: z.object(ofProject),
    output: FileList.extend({ survey_url: z.string() }),
  }),
  'file.documents': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/documents',
    about: "Lists a project's documents, signed documents and location files, 5 a page.",
    input: z.object({ ...ofProject, kind: z.enum(['all', 'document', 'docsign', 'location']).default('all') }),
    output: FileList,
  }),
  'file.media': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/files',
    about:
      'Lists the photos or videos of a project and its children, 10 a page. What participants sent has its author and review; an asset has null.',
    input: z.object({
      ...ofProject,
      ...paged(),
      file_type: z.enum(['', 'photos', 'videos']).default(''),
      ...contentFilter,
      column: z.enum(['', 'at', 'id', 'person', 'activity', 'review']).default(''),
      order: Order,
    }),
    output: listOf(File.extend({ content: Content.omit({ file: true }).nullable() })).extend({ page_size: z.number() }),
  }),
  'file.edit': call({
    method: 'PUT',
    path: '/v3/portal/files/{id}',
    about: 'Rotates a picture or describes a file.',
    undo: true,
    reads: 'file.get',
    input: z.object({
      id: Id,
      rotation: wholeNumber(z.number().int().min(0).max(270).multipleOf(90, 'must be 0, 90, 180 or 270')).optional(),
      ...editShape(fileFields),
      lock_version: Lock,
    }),
    output: one(File).extend({ message: EffectSentence }),
    refreshes: ['content', 'history'],
  }),
  'file.get': call({
    method: 'GET',
    path: '/v3/portal/files/{id}',
    about: 'Returns one file.',
    input: z.object({ id: Id }),
    output: one(File),
  }),
  'file.link': call({
    method: 'POST',
    path: '/v3/portal/files/{id}/link',
    about: 'Returns a link that opens one file without headers, for 15 minutes.',
    passing: true,
    credential: { limits: [] },
    input: z.object({ id: Id }),
    output: one(z.object({ url: z.string(), name: z.string(), expires_at: z.string() })),
  }),
  'file.download': call({
    method: 'GET',
    path: '/v3/portal/download/{signed}',
    secretPath: true,
    as: 'stream',
    media: ['*/*'],
    about: 'Returns the file of a signed link.',
    input: z.object({ signed: z.string().max(600) }),
    output: z.unknown(),
  }),
} as const
