import type { assetCalls } from '../../contract/asset.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { ASSET_FILES } from '../../contract/vocabulary.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { seenProject } from '../domain/project/detail.ts'
import { extensionOf } from '../files/checkContent.ts'
import { attachFile } from './file/attach.ts'

const TYPES: readonly string[] = ASSET_FILES

export const assetHandlers: HandlersOf<typeof assetCalls> = {
  'file.addAssets': async (ctx) => {
    const { id, assets } = ctx.input
    await seenProject(ctx, id)
    const data = []
    for (const [at, { file_id, asset_type, description }] of assets.entries()) {
      const twice = assets.findIndex((one) => one.file_id === file_id) !== at
      const file = await ctx.tx.selectFrom('files').select('original_name').where('id', '=', file_id).executeTakeFirst()
      if (!file || twice) throw invalid(`assets.${at}.file_id`, MESSAGES.assetMissing)
      if (!TYPES.includes(extensionOf(file.original_name)))
        throw invalid(`assets.${at}.file_id`, MESSAGES.fileType(TYPES.join(', ')))
      await ctx.tx.updateTable('files').set({ asset_type, description }).where('id', '=', file_id).execute()
      const kind = asset_type === 'Location List' ? 'location' : 'asset'
      data.push((await attachFile(ctx, file_id, id, null, kind)).data)
    }
    return {
      data,
      message: describeEffect(ctx, 'file.addAssets', {
        words: ['asset', 'assets'],
        ...(data.length === 1 ? {} : { count: data.length }),
      }),
    }
  },
}
