import manifest from '../../package.json' with { type: 'json' }

/** The release of this installation, from the one place that names it. */
export const RELEASE: string = manifest.version
