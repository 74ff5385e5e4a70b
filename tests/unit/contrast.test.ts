import { describe, expect, it } from 'vitest'
import { dark, light } from '../../tailwind.config.ts'
import { checkRows } from './rows.ts'

/** WCAG relative luminance (0…1) of `oklch(L% C H)`, through Oklab and linear sRGB clipped to the screen's gamut. */
function luminance(colour: string): number {
  const [, lightness, chroma, hue] = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)/.exec(colour)!.map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const L = lightness / 100
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (x: number) => Math.min(1, Math.max(0, x))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string) => {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

type Token = keyof typeof light
const grounds: Token[] = ['ground', 'surface', 'raised', 'hover', 'cursor', 'accent-wash']
const tones = ['grey', 'red', 'amber', 'green', 'blue'] as const

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_theme, tokens) => {
  it('text reads at 4.5:1 on every ground it lies on', () => {
    checkRows(['ink', 'muted', 'faint', 'accent-ink'] as const, (text) => {
      for (const ground of grounds) expect(contrast(tokens[text], tokens[ground]), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
    })
  })

  it('text on a button reads at 4.5:1', () => {
    checkRows(['accent', 'accent-hover', 'red-ink'] as const, (fill) => {
      expect(contrast(tokens['on-accent'], tokens[fill])).toBeGreaterThanOrEqual(4.5)
    })
  })

  it('a tone’s word reads at 4.5:1 on its wash and on every ground', () => {
    checkRows(tones, (tone) => {
      for (const ground of [...grounds, `${tone}-wash` as Token])
        expect(contrast(tokens[`${tone}-ink`], tokens[ground]), `on ${ground}`).toBeGreaterThanOrEqual(4.5)
    })
  })

  it('a tone’s shape stands out at 3:1 on its wash and on the surface', () => {
    checkRows(tones, (tone) => {
      for (const ground of ['surface', 'ground', `${tone}-wash`] as Token[])
        expect(contrast(tokens[tone], tokens[ground]), `on ${ground}`).toBeGreaterThanOrEqual(3)
    })
  })

  it('a control is outlined at 3:1', () => {
    checkRows(['control', 'accent'] as const, (outline) => {
      for (const ground of grounds) expect(contrast(tokens[outline], tokens[ground]), `on ${ground}`).toBeGreaterThanOrEqual(3)
    })
  })
})
