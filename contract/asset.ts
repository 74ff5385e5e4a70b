import { z } from 'zod'
import { call, EffectSentence, Id } from './call.ts'
import { createShape } from './fieldInput.ts'
import { File } from './file.ts'
import { assetFields } from './fileFields.ts'
import { MESSAGES } from './messages.ts'

/** Uploads to add as a project's assets, each with its type; shared by server and browser. */
const AssetsInput = z.object({
  id: Id,
  assets: z
    .array(z.object(createShape(assetFields)))
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
    output: z.object({ data: z.array(File), message: EffectSentence }),
    refreshes: ['project', 'history'],
  }),
} as const
