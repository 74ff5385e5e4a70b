import type { Ctx } from '../core/context.ts'
import type { ImportRecord } from './imports.ts'
import { locationKind } from './locations.ts'
import { rewardKind } from './rewards.ts'

/** Takes a finished import back, in one transaction; returns how many records went and how many stayed. */
type TakeBack = (ctx: Ctx, imported: ImportRecord) => Promise<{ removed: number; kept: number }>

/** TABLE  how each kind of file is taken back. */
export const TAKE_BACK: Readonly<Record<ImportRecord['kind'], TakeBack>> = {
  location: locationKind.takeBack,
  reward: rewardKind.takeBack,
}
