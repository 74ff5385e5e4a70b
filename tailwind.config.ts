import type { Config } from 'tailwindcss'
import plugin from 'tailwindcss/plugin'

/**
 * Every color of the light theme, in oklch, named by its role.
 * `ground` lies under everything, `surface` carries content, and `raised` floats.
 * `line` divides, `edge` outlines what has text, `control` outlines what only its outline shows (3:1).
 * `ink`, `muted`, `faint` are text (4.5:1 each).
 * A status has three colors: its shape (3:1), its word (`-ink`), and the wash under both.
 */
export const light = {
  ground: 'oklch(97.4% 0.004 265)',
  surface: 'oklch(100% 0 265)',
  raised: 'oklch(100% 0 265)',
  hover: 'oklch(96.4% 0.006 265)',
  line: 'oklch(91.5% 0.006 265)',
  edge: 'oklch(84.5% 0.009 265)',
  control: 'oklch(63% 0.016 265)',
  track: 'oklch(91% 0.007 265)',
  ink: 'oklch(24% 0.018 265)',
  muted: 'oklch(45.5% 0.018 265)',
  faint: 'oklch(52% 0.016 265)',
  accent: 'oklch(51% 0.19 268)',
  'accent-hover': 'oklch(46% 0.19 268)',
  'on-accent': 'oklch(100% 0 265)',
  'accent-ink': 'oklch(48% 0.19 268)',
  'accent-wash': 'oklch(95% 0.026 268)',
  cursor: 'oklch(96.2% 0.018 268)',
  green: 'oklch(58% 0.135 155)',
  'green-ink': 'oklch(45.5% 0.115 155)',
  'green-wash': 'oklch(95.2% 0.036 155)',
  amber: 'oklch(64% 0.14 65)',
  'amber-ink': 'oklch(48% 0.108 62)',
  'amber-wash': 'oklch(96% 0.045 80)',
  red: 'oklch(56% 0.19 25)',
  'red-ink': 'oklch(49% 0.18 25)',
  'red-wash': 'oklch(95.6% 0.026 20)',
  grey: 'oklch(60% 0.012 265)',
  'grey-ink': 'oklch(45.5% 0.018 265)',
  'grey-wash': 'oklch(93.4% 0.006 265)',
  blue: 'oklch(58% 0.13 235)',
  'blue-ink': 'oklch(46% 0.11 238)',
  'blue-wash': 'oklch(95% 0.03 235)',
  land: 'oklch(96.5% 0.005 265)',
  scrim: 'oklch(24% 0.018 265 / 0.28)',
} as const

/** The same roles for the dark theme, designed for dark instead of inverted. */
export const dark: Record<keyof typeof light, string> = {
  ground: 'oklch(16.5% 0.012 265)',
  surface: 'oklch(19.5% 0.013 265)',
  raised: 'oklch(23% 0.015 265)',
  hover: 'oklch(23.5% 0.015 265)',
  line: 'oklch(27% 0.014 265)',
  edge: 'oklch(36% 0.016 265)',
  control: 'oklch(58% 0.018 265)',
  track: 'oklch(31% 0.014 265)',
  ink: 'oklch(93% 0.006 265)',
  muted: 'oklch(74% 0.014 265)',
  faint: 'oklch(67% 0.014 265)',
  accent: 'oklch(72% 0.14 268)',
  'accent-hover': 'oklch(78% 0.12 268)',
  'on-accent': 'oklch(18% 0.03 265)',
  'accent-ink': 'oklch(78% 0.12 268)',
  'accent-wash': 'oklch(30% 0.065 268)',
  cursor: 'oklch(25% 0.036 268)',
  green: 'oklch(72% 0.15 155)',
  'green-ink': 'oklch(79% 0.145 155)',
  'green-wash': 'oklch(28% 0.05 155)',
  amber: 'oklch(78% 0.14 75)',
  'amber-ink': 'oklch(82% 0.13 78)',
  'amber-wash': 'oklch(30% 0.05 75)',
  red: 'oklch(67% 0.175 22)',
  'red-ink': 'oklch(75% 0.135 20)',
  'red-wash': 'oklch(28.5% 0.065 22)',
  grey: 'oklch(60% 0.012 265)',
  'grey-ink': 'oklch(76% 0.014 265)',
  'grey-wash': 'oklch(28.5% 0.014 265)',
  blue: 'oklch(70% 0.12 235)',
  'blue-ink': 'oklch(79% 0.1 235)',
  'blue-wash': 'oklch(28.5% 0.05 240)',
  land: 'oklch(23.5% 0.014 265)',
  scrim: 'oklch(8% 0.01 265 / 0.58)',
}

const shadow = {
  light: '0 16px 48px oklch(20% 0.03 265 / 0.18), 0 2px 6px oklch(20% 0.03 265 / 0.1)',
  dark: '0 20px 60px oklch(0% 0 0 / 0.65), 0 2px 8px oklch(0% 0 0 / 0.4)',
}

const vars = (colours: Record<string, string>) =>
  Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value]))

const config: Config = {
  content: [],
  darkMode: 'class',
  theme: {
    // The only type sizes: text, meta, titles within a pane, the pane's own title, key figures.
    fontSize: {
      meta: ['12px', { lineHeight: '16px' }],
      body: ['13px', { lineHeight: '20px' }],
      title: ['15px', { lineHeight: '20px', letterSpacing: '-0.01em', fontWeight: '600' }],
      head: ['18px', { lineHeight: '24px', letterSpacing: '-0.015em', fontWeight: '600' }],
      // Partners' pages are read and filled in on a phone: fields below 16 px make iOS zoom in.
      read: ['15px', { lineHeight: '22px' }],
      touch: ['16px', { lineHeight: '24px' }],
      figure: ['22px', { lineHeight: '28px', letterSpacing: '-0.02em', fontWeight: '600' }],
    },
    fontFamily: {
      sans: ['"Inter Variable"', 'Inter', 'system-ui', 'sans-serif'],
      mono: ['"JetBrains Mono Variable"', '"JetBrains Mono"', 'ui-monospace', 'monospace'],
    },
    borderRadius: { none: '0', sm: '4px', md: '6px', lg: '8px', xl: '12px', full: '9999px' },
    boxShadow: { none: 'none', float: 'var(--shadow)' },
    colors: {
      ...Object.fromEntries(Object.keys(light).map((name) => [name, `var(--${name})`])),
      transparent: 'transparent',
      current: 'currentColor',
    },
    extend: {
      spacing: { row: 'var(--row)', header: '40px', bar: '44px', strip: '32px', status: '24px' },
      transitionDuration: { DEFAULT: '120ms' },
    },
  },
  plugins: [
    plugin(({ addBase }) => {
      addBase({
        ':root': {
          ...vars(light),
          '--shadow': shadow.light,
          '--row': '32px',
          '--motion': '120ms',
          '--keyboard': '0px',
          'color-scheme': 'light',
        },
        '.dark': { ...vars(dark), '--shadow': shadow.dark, 'color-scheme': 'dark' },
        // Paper is light.
        ':root[data-paper]': { ...vars(light), '--row': '32px', 'color-scheme': 'light' },
        '[data-density="dense"]': { '--row': '28px' },
        '[data-density="comfortable"]': { '--row': '40px' },
        // What is quiet by its grey is as strong as text, and every line can be seen.
        '@media (prefers-contrast: more)': {
          ':root': { '--muted': light.ink, '--faint': light.ink, '--line': light.control, '--edge': light.control },
          '.dark': { '--muted': dark.ink, '--faint': dark.ink, '--line': dark.control, '--edge': dark.control },
        },
      })
    }),
  ],
}

export default config
