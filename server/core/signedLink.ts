import { calls } from '../../contract/calls.ts'
import type { Ctx } from './context.ts'

const { path } = calls['file.download']
/** What every link to a file begins with. */
export const DOWNLOAD = path.slice(0, path.indexOf('{'))

/** Seconds until a download link expires (decisions.md 7). */
const GOOD_FOR = 15 * 60

/** How a link opens a file: it saves it, shows it in the page, or shows its thumbnail. */
export type Opens = 'save' | 'show' | 'thumb'
/** Seconds for which a picture keeps the same link, so that browsers reuse their cached copy. */
const STABLE = 5 * 60

/** A link to one file without headers, while the caller may see it; `inline` shows a picture instead of saving it. */
export function linkTo(
  ctx: Pick<Ctx, 'services' | 'actor'>,
  file: { id: number; original_name: string },
  inline: boolean | Opens = false,
): { url: string; name: string; expires_at: string } {
  const opens = typeof inline === 'string' ? inline : inline ? 'show' : 'save'
  const now = Math.floor(ctx.services.now().getTime() / 1000)
  const until = (opens === 'thumb' ? now - (now % STABLE) : now) + GOOD_FOR
  const signed = ctx.services.secrets.sign('download', `${file.id}:${opens}:${ctx.actor.id}`, until)
  return { url: `${DOWNLOAD}${signed}`, name: file.original_name, expires_at: new Date(until * 1000).toISOString() }
}

/** The file of a signed link, and the user it was signed for; null if it is forged or expired. */
export function readLink(ctx: Pick<Ctx, 'services'>, signed: string): { id: number; opens: Opens; user_id: number } | null {
  const value = ctx.services.secrets.open('download', signed, ctx.services.now())
  const [id, opens, user] = value?.split(':') ?? []
  return id && user ? { id: Number(id), opens: opens as Opens, user_id: Number(user) } : null
}
