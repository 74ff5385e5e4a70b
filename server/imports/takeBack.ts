import type { Ctx } from '../core/context.ts'
import type { ImportRecord } from './importFile.ts'
import { locationKind } from './locations.ts'
import { rewardKind } from './rewards.ts'

/** Undoes a finished import in one transaction; returns how many records were removed and how many stayed. */
type TakeBack = (ctx: Ctx, imported: ImportRecord) => Promise<{ removed: number; kept: number }>

/** TABLE  how to undo each kind of import. */
export const TAKE_BACK: Readonly<Record<ImportRecord['kind'], TakeBack>> = {
  location: locationKind.takeBack,
  reward: rewardKind.takeBack,
}
