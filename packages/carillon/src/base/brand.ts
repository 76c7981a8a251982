/** A nominal type: a value of `Base` that only its one minting function may produce. */
declare const tag: unique symbol;
export type Brand<Base, Name extends string> = Base & { readonly [tag]: Name };
