/** Prints a script's help and ends it, if that is asked for; import it before what does anything. */
export function helpIfAsked(text: string): void {
  if (!process.argv.slice(2).includes('--help')) return
  console.log(text)
  process.exit(0)
}
