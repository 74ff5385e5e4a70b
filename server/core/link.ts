import type { Ctx } from './context.ts'

/** Seconds until a download link expires (decisions.md 7). */
const GOOD_FOR = 15 * 60

/** A link to one file without headers, while the caller may see it; `inline` shows a picture instead of saving it. */
export function linkTo(
  ctx: Pick<Ctx, 'services' | 'actor'>,
  file: { id: number; original_name: string },
  inline = false,
): { url: string; name: string; expires_at: string } {
  const until = Math.floor(ctx.services.now().getTime() / 1000) + GOOD_FOR
  const signed = ctx.services.secrets.sign('download', `${file.id}:${inline ? 'show' : 'save'}:${ctx.actor.id}`, until)
  return { url: `/v3/portal/download/${signed}`, name: file.original_name, expires_at: new Date(until * 1000).toISOString() }
}

/** The file a signed link opens, and the user it was made for; null if it is forged or expired. */
export function readLink(ctx: Pick<Ctx, 'services'>, signed: string): { id: number; inline: boolean; user_id: number } | null {
  const value = ctx.services.secrets.open('download', signed, ctx.services.now())
  const [id, show, user] = value?.split(':') ?? []
  return id && user ? { id: Number(id), inline: show === 'show', user_id: Number(user) } : null
}
