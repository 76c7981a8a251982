// What the command line may show otherwise on our server, with the reason.

const reasons = [];

/** The reason of a known difference, undefined when there is none. */
export function reasonFor(args, answers) {
  const command = args.join(' ');
  return reasons.find(({ fits }) => fits(command, answers))?.reason;
}
