/** A reply as the core hands it to every adapter. */
export interface Reply {
    readonly status: number;
    readonly headers: Record<string, string>;
    /** The body's text, or `null` when there is none. */
    readonly body: string | null;
}
/** A reply with a JSON body. */
export declare function jsonReply(status: number, value: unknown): Reply;
/** A reply without a body. */
export declare function emptyReply(status: number): Reply;
/** How many bytes a text takes in UTF-8. */
export declare function byteLength(text: string): number;
