/** What the reference leaves open about apps. */
export declare const appAssumptions: {
    readonly 'apps.list.shape': {
        readonly question: "What a list is: an object with data, has_more and next_cursor, or the bare array";
        readonly values: readonly ["data", "array"];
        readonly source: "convention";
    };
    readonly 'apps.create.status': {
        readonly question: "The status of a creation";
        readonly values: readonly ["201", "200"];
        readonly source: "convention";
    };
    readonly 'apps.delete.status': {
        readonly question: "The status of a deletion";
        readonly values: readonly ["204", "200"];
        readonly source: "convention";
    };
    readonly 'apps.unknown-fields': {
        readonly question: "Fields that we do not know";
        readonly values: readonly ["ignore", "reject"];
        readonly source: "convention";
    };
};
