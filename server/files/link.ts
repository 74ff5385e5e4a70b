import type { Ctx } from '../context.ts'

/** Seconds that a download link is good for (decisions.md 7). */
const GOOD_FOR = 15 * 60

/** A link that opens one file without headers; with `inline` a picture is shown rather than saved. */
export function linkTo(
  ctx: Pick<Ctx, 'house'>,
  file: { id: number; original_name: string },
  inline = false,
): { url: string; name: string; expires_at: string } {
  const until = Math.floor(ctx.house.now().getTime() / 1000) + GOOD_FOR
  const signed = ctx.house.secrets.sign('download', `${file.id}${inline ? ':show' : ''}`, until)
  return { url: `/v3/portal/download/${signed}`, name: file.original_name, expires_at: new Date(until * 1000).toISOString() }
}

/** What a signed link opens, or null when it is forged or past. */
export function readLink(ctx: Pick<Ctx, 'house'>, signed: string): { id: number; inline: boolean } | null {
  const value = ctx.house.secrets.open('download', signed, ctx.house.now())
  const [id, show] = value?.split(':') ?? []
  return id ? { id: Number(id), inline: show === 'show' } : null
}
