import { z } from 'zod'
import { call, Id, idOf } from './call.ts'
import { File } from './file.ts'
import { MESSAGES } from './messages.ts'
import { ASSET_TYPES } from './vocabulary.ts'

/** Uploads to add as a project's assets, each with its type; shared by server and browser. */
export const AssetsInput = z.object({
  id: Id,
  assets: z
    .array(
      z.object({
        file_id: idOf(z.number({ error: MESSAGES.assetMissing })),
        asset_type: z.enum(ASSET_TYPES, { error: MESSAGES.assetType }),
        description: z.string().trim().max(1000).default(''),
      }),
    )
    .min(1, MESSAGES.assetMissing)
    .max(50),
})

/** A project's assets, made from files that were uploaded before. */
export const assetCalls = {
  'file.addAssets': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/assets',
    about: 'Adds uploaded files to a project as assets, each with its type and description, in one transaction.',
    undo: true,
    input: AssetsInput,
    output: z.object({ data: z.array(File), message: z.string() }),
    refreshes: ['project', 'history'],
  }),
} as const
