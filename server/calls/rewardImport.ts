import type { rewardImportCalls } from '../../contract/rewardImport.ts'
import { HttpError, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'

export const rewardImportHandlers: HandlersOf<typeof rewardImportCalls> = {
  'reward.upload': async () => {
    throw new HttpError(503, 'not_now', 'Uploads are not taken yet.')
  },
  'reward.imports': async (ctx) => ({ data: [], count: 0, page: ctx.input.page }),
  'reward.import': async (ctx) => {
    throw notFound(`Upload ${ctx.input.id}`)
  },
  'reward.importRows': async (ctx) => {
    throw notFound(`Upload ${ctx.input.id}`)
  },
}
