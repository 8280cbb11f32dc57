/** Marks what `defineToken` made. Registered globally: it holds across copies of this package. */
export const tokenMark: unique symbol = Symbol.for('baigong.token') as never;

/** Names a service that one plugin provides and others use. Two tokens of one name are the same. */
export interface Token<Service> {
  readonly name: string;
  readonly [tokenMark]: true;
  /** Never there: it only ties the type of the service to the token. */
  readonly service?: Service;
}
