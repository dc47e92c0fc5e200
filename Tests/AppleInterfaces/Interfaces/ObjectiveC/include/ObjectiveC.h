// The root of all classes, as Apple documents it.

#pragma once

__attribute__((objc_root_class))
@interface NSObject
- (instancetype _Nonnull)init;
@end

__attribute__((swift_name("NSObjectProtocol")))
@protocol NSObject
@end

@interface NSObject (Root) <NSObject>
@end
